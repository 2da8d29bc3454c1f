import urllib.request, xml.etree.ElementTree

with urllib.request.urlopen("SITE/feed.atom") as response:
    feed = xml.etree.ElementTree.parse(response)
for title in feed.iter("{http://www.w3.org/2005/Atom}title"):
    print(title.text)
