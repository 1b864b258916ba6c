// The page's only script: allowed by its policy because it is a file of this site.
const place = document.getElementById("out");
document.getElementById("save").addEventListener("click", () => place.append("Saved. "));
document.getElementById("open").addEventListener("click", () => document.getElementById("box").showModal());
document.getElementById("close").addEventListener("click", () => document.getElementById("box").close());
