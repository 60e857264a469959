"""The local cloud and the demo: start, deploy, feed, recount; none of this is deployed."""
