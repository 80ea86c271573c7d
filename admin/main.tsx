import { CSPProvider } from "@base-ui/react/csp-provider";
import { Tooltip } from "@base-ui/react/tooltip";
import { QueryClientProvider } from "@tanstack/react-query";
import { RouterProvider } from "@tanstack/react-router";
import { StrictMode } from "react";
import { createRoot } from "react-dom/client";
import { createQueryClient } from "./queries.ts";
import { isLoggedOut, RequestError } from "./request.ts";
import { createAdminRouter } from "./routes.tsx";
import { Toasts } from "./ui/toasts.tsx";
import "./style.css";

const client = createQueryClient((error) => {
  if (isLoggedOut(error)) void leave();
});
const router = createAdminRouter(client);

/** Leads to the log-in, and afterwards back to where one was. */
async function leave(): Promise<void> {
  const { href, pathname } = router.state.location;
  if (pathname === "/login") return;
  await router.navigate({ to: "/login", search: { next: href }, replace: true });
  client.clear();
}

/** Logs faults of the page itself: refusals by the server are on the page already. */
const onCaughtError = (error: unknown) => {
  if (!(error instanceof RequestError)) console.error(error);
};

createRoot(document.querySelector("#root")!, { onCaughtError }).render(
  <StrictMode>
    <CSPProvider disableStyleElements>
      <QueryClientProvider client={client}>
        <Tooltip.Provider delay={200}>
          <RouterProvider router={router} />
          <Toasts />
        </Tooltip.Provider>
      </QueryClientProvider>
    </CSPProvider>
  </StrictMode>,
);
