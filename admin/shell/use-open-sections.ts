import { useShop, type Permission } from "../queries.ts";
import { sections } from "./sections.ts";

/** The pages that the viewer's role can open, by section. */
export function useOpenSections() {
  const { can, needsSecondFactor } = useShop();
  const isOpen = (needs: Permission | undefined) => (needs ? can(needs) : !needsSecondFactor);
  return sections
    .map(({ title, pages }) => ({ title, pages: pages.filter(({ needs }) => isOpen(needs)) }))
    .filter(({ pages }) => pages.length > 0);
}
