import "../style.css";

document.querySelector("#root")!.textContent = "…";
