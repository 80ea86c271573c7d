import { CSPProvider } from "@base-ui/react/csp-provider";
import { Component, StrictMode, Suspense, type ReactNode } from "react";
import { createRoot } from "react-dom/client";
import { Failure, Skeleton } from "../ui/states.tsx";
import { DocsPage } from "./docs-page.tsx";
import { loadDocument } from "./document.ts";
import "../style.css";

/** Shows an error when the document can't be loaded. React error boundaries must be classes. */
class Boundary extends Component<{ children: ReactNode }> {
  override state: { error: unknown } = { error: undefined };

  static getDerivedStateFromError(error: unknown) {
    return { error };
  }

  override render() {
    if (!this.state.error) return this.props.children;
    return <Failure error={this.state.error} onRetry={() => location.reload()} />;
  }
}

createRoot(document.querySelector("#root")!).render(
  <StrictMode>
    <CSPProvider disableStyleElements>
      <Boundary>
        <Suspense fallback={<Skeleton rows={12} />}>
          <DocsPage promise={loadDocument()} />
        </Suspense>
      </Boundary>
    </CSPProvider>
  </StrictMode>,
);
