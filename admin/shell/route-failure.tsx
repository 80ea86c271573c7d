import { useQueryErrorResetBoundary } from "@tanstack/react-query";
import { useRouter, type ErrorComponentProps } from "@tanstack/react-router";
import { useCallback, useEffect } from "react";
import { isAway, RequestError } from "../request.ts";
import { WrongAddress } from "../session/wrong-address.tsx";
import { Failure } from "../ui/states.tsx";

/** Milliseconds between two checks whether the server is back. */
const INTERVAL = 3_000;

/** Stands where a page should be that could not be loaded, and loads it again when the server is back. */
export function RouteFailure({ error, reset }: ErrorComponentProps) {
  const router = useRouter();
  const boundary = useQueryErrorResetBoundary();
  const retry = useCallback(() => {
    boundary.reset();
    reset();
    void router.invalidate();
  }, [boundary, reset, router]);
  const isPassing = isAway(error);
  useEffect(() => {
    if (!isPassing) return;
    const timer = setInterval(retry, INTERVAL);
    return () => clearInterval(timer);
  }, [isPassing, retry]);
  if (error instanceof RequestError && error.baseUrl !== undefined) return <WrongAddress baseUrl={error.baseUrl} />;
  return <Failure error={error} onRetry={retry} />;
}
