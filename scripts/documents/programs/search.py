import json, urllib.parse, urllib.request

query = urllib.parse.urlencode({"q": "KEYWORD", "pageSize": 2})
with urllib.request.urlopen(f"SITE/api/search?{query}") as response:
    result = json.load(response)
print(result["metadata"]["count"])
for hit in result["results"]:
    print(hit["postId"], hit["postTitle"])
