// No module: it runs where modules do not. A browser that opened the site as plain files is told what to do.
if (location.protocol === "file:") {
  const told = document.createElement("p");
  told.className = "alarm";
  told.setAttribute("role", "alert");
  told.textContent = "Opened as plain files, this site can be read and no more: for all that moves, type python -m http.server in the site's folder and open http://localhost:8000 in a browser.";
  document.querySelector("main").prepend(told);
}
