import { useShop } from "../queries.ts";
import { Sentence } from "../ui/sentence.tsx";
import { Notice } from "../ui/states.tsx";
import { Time } from "../ui/values/time.tsx";
import { hasEndedPlan } from "./plan.ts";
import { copy } from "./copy.ts";

/** A warning on every page that the shop's plan has ended, for members who manage its integrations. */
export function PlanNotice() {
  const shop = useShop();
  if (!hasEndedPlan(shop) || !shop.can("SETTINGS")) return null;
  return (
    <Notice tone="warning">
      {shop.trialEndsAt ? (
        <Sentence text={copy.planEnded.trial} parts={{ time: <Time value={shop.trialEndsAt} /> }} />
      ) : (
        copy.planEnded.noPlan
      )}{" "}
      {copy.planEnded.text}
    </Notice>
  );
}
