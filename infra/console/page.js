// Before the page's bucket: every address that is no file is one of the page's own, and index.html shows it.
// Files are in /assets/ or at the top. Only there a dot makes a file: ids have dots, too.
function handler(event) {
  const request = event.request;
  if (!/^\/(assets\/.+|[^/]+\.[a-z]+)$/.test(request.uri)) request.uri = "/index.html";
  return request;
}
