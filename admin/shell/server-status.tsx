import { useQueryClient, type Query } from "@tanstack/react-query";
import { useCallback, useEffect, useSyncExternalStore } from "react";
import { isUnavailable } from "../request.ts";
import { Notice } from "../ui/states.tsx";
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
