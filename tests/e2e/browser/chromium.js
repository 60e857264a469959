// Prints where the browser is; it is unpacked first, unless it was before.
import chromium from "@sparticuz/chromium";

console.log(await chromium.executablePath());
