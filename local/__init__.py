"""The local cloud and the demo: start, deploy, feed, recount; nothing of it is deployed."""
