import { useQueryClient, type Query } from "@tanstack/react-query";
import { useCallback, useEffect, useSyncExternalStore } from "react";
import { isUnavailable } from "../request.ts";
import { Notice } from "../ui/states.tsx";
import { useShop } from "../queries.ts";
import { Sentence } from "../ui/sentence.tsx";
import { isAhead, Time } from "../ui/values/time.tsx";
import { copy } from "./copy.ts";

/** Milliseconds between retries. */
const INTERVAL = 3_000;

const failed = ({ state }: Query) => isUnavailable(state.fetchFailureReason);

/** A warning while the server is unreachable. It reloads the page's data until the server is back. */
export function ServerStatus() {
  const client = useQueryClient();
  const cache = client.getQueryCache();
  const subscribe = useCallback((listener: () => void) => cache.subscribe(listener), [cache]);
  const isUnreachable = useSyncExternalStore(subscribe, () => cache.findAll({ type: "active" }).some(failed));
  useEffect(() => {
    if (!isUnreachable) return;
    const timer = setInterval(() => void client.refetchQueries({ type: "active", predicate: failed }), INTERVAL);
    return () => clearInterval(timer);
  }, [client, isUnreachable]);
  if (!isUnreachable) return null;
  return <Notice tone="bad">{copy.unreachable}</Notice>;
}

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

/** True when the shop has no plan, or its trial has ended. */
export const hasEndedPlan = ({ plan, trialEndsAt }: { plan: string; trialEndsAt: string | null }) =>
  plan === "NONE" || (plan === "TRIAL" && !isAhead(trialEndsAt));
