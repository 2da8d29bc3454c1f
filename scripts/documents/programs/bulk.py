import gzip, json, urllib.request

with urllib.request.urlopen("SITE/sync.json") as response:
    files = json.load(response)["bulk"]
for file in files:
    with urllib.request.urlopen(file["url"]) as response, gzip.open(response) as lines:
        for line in lines:
            post = json.loads(line)
            print(post["postId"], post["postTitle"])
