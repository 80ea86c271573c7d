const PARENT_CHECK = 500;

/** Resolves when the process is asked to end: Ctrl-C, SIGTERM, a closed terminal, or the end of `npm start`. */
export function shutdownSignal(): Promise<void> {
  return new Promise((resolve) => {
    for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"] as const) process.on(signal, () => resolve());
    // npm runs a script through a shell that dies of SIGTERM without forwarding it, so the end of the shell counts as
    // the signal.
    if (process.env.npm_lifecycle_event === undefined) return;
    const shell = process.ppid;
    const watch = setInterval(() => {
      if (process.ppid === shell) return;
      clearInterval(watch);
      resolve();
    }, PARENT_CHECK);
    watch.unref();
  });
}
