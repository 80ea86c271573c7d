import { useQueryClient, type Query } from "@tanstack/react-query";
import { useCallback, useEffect, useSyncExternalStore } from "react";
import { isAway } from "../request.ts";
import { Notice } from "../ui/states.tsx";

/** Milliseconds between two checks whether the server is back. */
const INTERVAL = 3_000;

const failed = ({ state }: Query) => isAway(state.fetchFailureReason);

/** Says above a page that what it shows may be old, for as long as the server is away, and reads it again. */
export function ServerAway() {
  const client = useQueryClient();
  const cache = client.getQueryCache();
  const subscribe = useCallback((listener: () => void) => cache.subscribe(listener), [cache]);
  const isGone = useSyncExternalStore(subscribe, () => cache.findAll({ type: "active" }).some(failed));
  useEffect(() => {
    if (!isGone) return;
    const timer = setInterval(() => void client.refetchQueries({ type: "active", predicate: failed }), INTERVAL);
    return () => clearInterval(timer);
  }, [client, isGone]);
  if (!isGone) return null;
  return (
    <Notice tone="bad">The server does not answer. What you see may be old; this page asks again by itself.</Notice>
  );
}
