import { CSPProvider } from "@base-ui/react/csp-provider";
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
  if (isLoggedOut(error)) void goToLogin();
});
const router = createAdminRouter(client);

/** Opens the login, which returns to the current page afterward. */
async function goToLogin(): Promise<void> {
  const { href, pathname } = router.state.location;
  if (pathname === "/login") return;
  await router.navigate({ to: "/login", search: { next: href }, replace: true });
  client.clear();
}

/** Logs errors of the page itself. The page already shows errors of requests. */
const onCaughtError = (error: unknown) => {
  if (!(error instanceof RequestError)) console.error(error);
};

createRoot(document.querySelector("#root")!, { onCaughtError }).render(
  <StrictMode>
    <CSPProvider disableStyleElements>
      <QueryClientProvider client={client}>
        <RouterProvider router={router} />
        <Toasts />
      </QueryClientProvider>
    </CSPProvider>
  </StrictMode>,
);
