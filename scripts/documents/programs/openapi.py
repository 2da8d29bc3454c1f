import json, urllib.request

with urllib.request.urlopen("SITE/api/openapi.json") as response:
    body = json.load(response)
print(body["openapi"])
