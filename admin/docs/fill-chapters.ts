import { show } from "./code.ts";
import { all, one } from "./elements.ts";

/** Fills the samples of the chapters with the shop that the address names, as those of the operations. */
export function fillChapters(): void {
  const shopId = new URLSearchParams(location.search).get("shop");
  if (!shopId) return;
  const url = `${one("main").dataset.origin!}/api/v1/${encodeURIComponent(shopId)}`;
  for (const pre of all(".chapter .card pre")) {
    const code = pre.textContent;
    const filled = code.replace(/^SHOP=.*$/m, () => `SHOP=${url}`).replaceAll("$SHOP", () => url);
    if (filled !== code) show(pre, filled);
  }
}
