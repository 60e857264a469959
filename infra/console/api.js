// Before the API, which knows nothing of the console's /api. Nothing is decoded: escapes belong to the ids in a path.
function handler(event) {
  const request = event.request;
  request.uri = request.uri.slice("/api".length);
  return request;
}
