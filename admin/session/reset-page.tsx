import { useMutation } from "@tanstack/react-query";
import { Link, useLocation } from "@tanstack/react-router";
import { graphql, request, RequestError } from "../request.ts";
import { Button, buttonClass } from "../ui/button.tsx";
import { Form, readText, TextField } from "../ui/forms/form.tsx";
import styles from "./entrance.module.css";
import { Entrance } from "./entrance.tsx";
import { copy } from "./copy.ts";

const RequestReset = graphql(`
  mutation RequestPasswordReset($email: String!) {
    requestPasswordReset(email: $email)
  }
`);

const Reset = graphql(`
  mutation ResetPassword($token: String!, $password: String!) {
    resetPassword(token: $token, password: $password)
  }
`);

/** Sets a new password with the token of an email. Without a token, it requests that email. */
export function ResetPage() {
  const token = useLocation({ select: ({ hash }) => hash });
  return token ? <NewPassword key={token} token={token} /> : <RequestLink />;
}

function RequestLink() {
  const ask = useMutation({ mutationFn: (email: string) => request(RequestReset, { email }) });
  if (ask.data) {
    return (
      <Entrance title={copy.reset.sentTitle}>
        <p className={styles.soft}>{copy.reset.sent(ask.variables)}</p>
        <ToLogin label={copy.reset.back} />
      </Entrance>
    );
  }
  return (
    <Entrance title={copy.reset.title}>
      <p className={styles.soft}>{copy.reset.text}</p>
      <Form error={ask.error} onSubmit={(values) => !ask.isPending && ask.mutate(readText(values, "email"))}>
        <TextField name="email" label={copy.email} inputMode="email" autoComplete="username" required autoFocus />
        <Button type="submit" variant="primary" busy={ask.isPending}>
          {copy.reset.submit}
        </Button>
      </Form>
      <ToLogin label={copy.reset.back} />
    </Entrance>
  );
}

function NewPassword({ token }: { token: string }) {
  const reset = useMutation({ mutationFn: (password: string) => request(Reset, { token, password }) });
  if (reset.data) {
    return (
      <Entrance title={copy.reset.doneTitle}>
        <p className={styles.soft}>{copy.reset.done}</p>
        <ToLogin label={copy.login.title} />
      </Entrance>
    );
  }
  const isInvalid = reset.error instanceof RequestError && reset.error.code === "NOT_FOUND";
  if (isInvalid) {
    return (
      <Entrance title={copy.reset.invalidTitle}>
        <p className={styles.soft}>{copy.reset.invalid}</p>
        <Link to="/reset" hash="" className={`${buttonClass("plain")} ${styles.other}`}>
          {copy.reset.requestAnother}
        </Link>
      </Entrance>
    );
  }
  return (
    <Entrance title={copy.reset.newTitle}>
      <Form error={reset.error} onSubmit={(values) => !reset.isPending && reset.mutate(String(values.get("password")))}>
        <TextField
          name="password"
          label={copy.newPassword}
          hint={copy.reset.newHint}
          type="password"
          autoComplete="new-password"
          required
          autoFocus
        />
        <Button type="submit" variant="primary" busy={reset.isPending}>
          {copy.reset.newSubmit}
        </Button>
      </Form>
    </Entrance>
  );
}

function ToLogin({ label }: { label: string }) {
  return (
    <Link to="/login" search={{}} className={`${buttonClass("plain")} ${styles.other}`}>
      {label}
    </Link>
  );
}
