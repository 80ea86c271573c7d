import { useAdminPages } from "./admin-pages.ts";
import { withoutChromium } from "../support/browser/chromium.ts";
import { buildProduct } from "../support/factories.ts";
import { useWorld } from "../support/world.ts";
import { copy as settings } from "../../admin/settings/copy.ts";
import { copy as shell } from "../../admin/shell/copy.ts";

describe(`Admin's sandboxes in a browser${withoutChromium}`, () => {
  const pages = useAdminPages({ worker: true });
  const { shop, staff: owner } = useWorld(pages.server, { name: "Harbour Goods" });

  it("are created, marked on each page, reset, and left by the select of shops", async () => {
    await buildProduct(pages.server.em, shop, { title: "Deck lantern", inventoryQuantity: 7 });
    await pages.openAs(owner, `/${shop.id}/shop`);
    await pages.press(settings.sandboxes.create.action);
    await pages.expectAccessible();
    await pages.submit();
    await pages.see(settings.sandboxes.states.FILLING);
    await pages.see(settings.sandboxes.contents.PRODUCTS);
    await pages.press(settings.sandboxes.open);
    await pages.see(shell.sandbox.notice);
    await pages.expectAccessible();
    await pages.miss(shell.navigation.members);
    await pages.press(shell.navigation.products);
    await pages.see("Deck lantern");
    await pages.press(shell.navigation.shopSettings);
    await pages.press(settings.sandboxes.reset.action);
    await pages.choose(settings.sandboxes.content, settings.sandboxes.contents.EMPTY);
    await pages.submit();
    await pages.see(shell.sandbox.filling);
    await pages.see(settings.sandboxes.contents.EMPTY);
    await pages.press(shell.navigation.products);
    await pages.miss("Deck lantern");
    await pages.see(shell.sandbox.notice);
    await pages.choose(shell.shop, "Harbour Goods");
    await pages.miss(shell.sandbox.notice);
    await pages.press(shell.navigation.products);
    await pages.see("Deck lantern");
  });
});
