import { Link } from "@tanstack/react-router";
import { roleNames } from "../copy.ts";
import { useShop } from "../queries.ts";
import { buttonClass } from "../ui/button.tsx";
import { Page } from "../ui/page.tsx";
import { Empty } from "../ui/states.tsx";
import { copy } from "./copy.ts";

/** The page shown instead of one that the viewer's role can't open. */
export function NoPermission({ title }: { title: string }) {
  const { id: shopId, name, role, needsSecondFactor } = useShop();
  const text = needsSecondFactor
    ? copy.noAccess.secondFactorText(name)
    : copy.noAccess.text(name, role ? roleNames[role].toLowerCase() : copy.noAccess.noRole);
  const action = needsSecondFactor && (
    <Link to="/$shopId/account" params={{ shopId }} className={buttonClass("primary")}>
      {copy.noAccess.setUp}
    </Link>
  );
  return (
    <Page title={title}>
      <Empty title={needsSecondFactor ? copy.noAccess.secondFactorTitle : copy.noAccess.title} action={action}>
        {text}
      </Empty>
    </Page>
  );
}
