import { useQueryErrorResetBoundary } from "@tanstack/react-query";
import { Link, useRouter, type ErrorComponentProps } from "@tanstack/react-router";
import { useCallback, useEffect } from "react";
import { copy as accessCopy } from "../copy.ts";
import { isUnavailable, RequestError } from "../request.ts";
import { Entrance, WrongAddress } from "../session/entrance.tsx";
import { buttonClass } from "../ui/button.tsx";
import { Failure } from "../ui/states.tsx";
import { copy } from "./copy.ts";

/** Milliseconds between retries. */
const INTERVAL = 3_000;

/** The page shown when a page fails to load. It reloads when the server is back. */
export function RouteFailure({ error, reset }: ErrorComponentProps) {
  const router = useRouter();
  const boundary = useQueryErrorResetBoundary();
  const retry = useCallback(() => {
    boundary.reset();
    reset();
    void router.invalidate();
  }, [boundary, reset, router]);
  const isTemporary = isUnavailable(error);
  useEffect(() => {
    if (!isTemporary) return;
    const timer = setInterval(retry, INTERVAL);
    return () => clearInterval(timer);
  }, [isTemporary, retry]);
  if (error instanceof RequestError && error.baseUrl !== undefined) return <WrongAddress baseUrl={error.baseUrl} />;
  if (error instanceof RequestError && error.code === "SHOP_NOT_FOUND") {
    return (
      <Entrance title={accessCopy.shopNotFound}>
        <Link to="/" className={buttonClass("primary")}>
          {copy.toYourShop}
        </Link>
      </Entrance>
    );
  }
  return <Failure error={error} onRetry={retry} />;
}
