import { useMutation } from "@tanstack/react-query";
import { Link, useLocation } from "@tanstack/react-router";
import { graphql, request, RequestError } from "../request.ts";
import { Button, buttonClass } from "../ui/button.tsx";
import { Form, TextField } from "../ui/forms/form.tsx";
import { readText } from "../ui/forms/read-fields.ts";
import styles from "./entrance.module.css";
import { Entrance } from "./entrance.tsx";

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

/** Sets another password by the token of a mail; without one, asks for that mail. */
export function ResetPage() {
  const token = useLocation({ select: ({ hash }) => hash });
  return token ? <NewPassword key={token} token={token} /> : <Forgotten />;
}

function Forgotten() {
  const ask = useMutation({ mutationFn: (email: string) => request(RequestReset, { email }) });
  if (ask.data) {
    return (
      <Entrance title="Check your mail">
        <p className={styles.soft}>
          If there is an account with {ask.variables}, a link to set another password is on its way. It works for 30
          minutes.
        </p>
        <ToLogin label="Back to log in" />
      </Entrance>
    );
  }
  return (
    <Entrance title="Forgot your password?">
      <p className={styles.soft}>A link to set another one is sent to your address.</p>
      <Form error={ask.error} onSubmit={(values) => !ask.isPending && ask.mutate(readText(values, "email"))}>
        <TextField name="email" label="E-mail" type="email" autoComplete="username" required autoFocus />
        <Button type="submit" look="primary" busy={ask.isPending}>
          Send the link
        </Button>
      </Form>
      <ToLogin label="Back to log in" />
    </Entrance>
  );
}

function NewPassword({ token }: { token: string }) {
  const reset = useMutation({ mutationFn: (password: string) => request(Reset, { token, password }) });
  if (reset.data) {
    return (
      <Entrance title="Your password is set">
        <p className={styles.soft}>You are logged out everywhere. Log in with the new password.</p>
        <ToLogin label="Log in" />
      </Entrance>
    );
  }
  const isUseless = reset.error instanceof RequestError && reset.error.code === "NOT_FOUND";
  if (isUseless) {
    return (
      <Entrance title="This link cannot be used">
        <p className={styles.soft}>It was used before, or is older than 30 minutes.</p>
        <Link to="/reset" hash="" className={`${buttonClass("plain")} ${styles.other}`}>
          Ask for another link
        </Link>
      </Entrance>
    );
  }
  return (
    <Entrance title="Set a new password">
      <Form error={reset.error} onSubmit={(values) => !reset.isPending && reset.mutate(String(values.get("password")))}>
        <TextField
          name="password"
          label="New password"
          hint="At least 12 characters. You are logged out everywhere."
          type="password"
          autoComplete="new-password"
          required
          autoFocus
        />
        <Button type="submit" look="primary" busy={reset.isPending}>
          Set password
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
