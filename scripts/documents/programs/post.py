import json, urllib.request

with urllib.request.urlopen("SITE/api/posts/POST_ID") as response:
    body = json.load(response)
print(body["postTitle"])
