# Keeps a copy of all posts in a folder: python3 sync.py SITE posts
# Every run compares the files with the site's list, so it repairs whatever an earlier run left. One at a time.
import gzip, hashlib, json, os, pathlib, re, sys
from urllib import error, parse, request

if len(sys.argv) < 3:
    sys.exit("Usage: python3 sync.py SITE posts")
site, folder = sys.argv[1].rstrip("/"), pathlib.Path(sys.argv[2])
part = folder / f".part-{os.getpid()}"
def get(path, headers={}):
    with request.urlopen(request.Request(site + path, headers=headers), timeout=60) as response:
        return response.read(), response.headers["ETag"] or ""
def write(name, content):
    part.write_bytes(content)
    os.replace(part, folder / name)
def kept(name):
    return (folder / name).read_bytes() if (folder / name).exists() else b""
def digest_of(content):
    return hashlib.sha256(content).hexdigest()
def checked(content, digest):
    if not digest_of(content).startswith(digest):
        sys.exit("The site was just updated. Run this again in a minute.")
    return content

folder.mkdir(parents=True, exist_ok=True)
last = kept("sync.json")
digest, _, etag = kept("sync.etag").decode().partition("\n")  # of the list that the last run kept
known = {"If-None-Match": etag} if etag and digest == digest_of(last) else {}
try:
    sync, etag = get("/sync.json", known)
except error.HTTPError as answer:
    if answer.code != 304:
        raise
    sync = last
content = json.loads(sync)
posts, missing = content["posts"], set()
for post_id, digest in posts.items():
    if not re.fullmatch(r"[1-9][0-9]*", post_id):
        sys.exit(f"The list has no post id, but {post_id}")
    if not digest_of(kept(f"{post_id}.json")).startswith(digest):
        missing.add(post_id)
for file in content.get("bulk", []):
    wanted = [one for one in missing if file["firstId"] <= int(one) <= file["lastId"]]
    if len(wanted) <= file["posts"] / 2:
        continue  # one by one, these are fewer bytes
    lines, _ = get(parse.urlsplit(file["url"]).path)
    for line in gzip.decompress(checked(lines, file["sha256"])).splitlines():
        post_id = str(json.loads(line)["postId"])
        if post_id in missing:
            write(f"{post_id}.json", checked(line, posts[post_id]))
            missing.discard(post_id)
for post_id in missing:
    write(f"{post_id}.json", checked(get(f"/api/posts/{post_id}")[0], posts[post_id]))
for file in folder.iterdir():
    if file.name.startswith(".part-") or re.fullmatch(r"[0-9]+\.json", file.name) and file.stem not in posts:
        file.unlink()
write("sync.json", sync)  # last: now the files are what it lists
write("sync.etag", f"{digest_of(sync)}\n{etag}".encode())
