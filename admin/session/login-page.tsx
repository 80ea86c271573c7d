import { useMutation, useQueryClient } from "@tanstack/react-query";
import { Link, useNavigate, useRouter, useSearch } from "@tanstack/react-router";
import { useState } from "react";
import { graphql, request, RequestError } from "../request.ts";
import { Button } from "../ui/button.tsx";
import { Form, TextField } from "../ui/forms/form.tsx";
import { CodeField } from "./code-field.tsx";
import styles from "./entrance.module.css";
import { Entrance } from "./entrance.tsx";

const LogIn = graphql(`
  mutation LogIn($email: String!, $password: String!, $code: String) {
    logIn(email: $email, password: $password, code: $code) {
      id
    }
  }
`);

const read = (values: FormData, name: string) => String(values.get(name) ?? "");

/** Asks for the second factor only where the account has one. */
export function LoginPage() {
  const { next } = useSearch({ from: "/login" });
  const router = useRouter();
  const navigate = useNavigate();
  const client = useQueryClient();
  const [asksCode, setAsksCode] = useState(false);
  const logIn = useMutation({
    mutationFn: (values: FormData) => {
      const code = read(values, "code").trim();
      const variables = { email: read(values, "email").trim(), password: read(values, "password"), code: code || null };
      return request(LogIn, variables);
    },
    onSuccess: async () => {
      // The cache may hold that nobody is logged in.
      client.clear();
      // One slash begins a path; two would lead elsewhere.
      if (next && /^\/(?![/\\])/.test(next)) router.history.push(`${router.basepath}${next}`);
      else await navigate({ to: "/" });
    },
    onError: (error) => {
      if (error instanceof RequestError && error.code.endsWith("SECOND_FACTOR_REQUIRED")) setAsksCode(true);
    },
  });
  const isAsked = logIn.error instanceof RequestError && logIn.error.code === "SECOND_FACTOR_REQUIRED";
  return (
    <Entrance title="Log in">
      <Form error={isAsked ? null : logIn.error} onSubmit={(values) => !logIn.isPending && logIn.mutate(values)}>
        <TextField name="email" label="E-mail" type="email" autoComplete="username" required autoFocus />
        <TextField name="password" label="Password" type="password" autoComplete="current-password" required />
        {asksCode && <CodeField autoFocus />}
        <Button type="submit" look="primary" busy={logIn.isPending}>
          Log in
        </Button>
      </Form>
      <p className={styles.forgot}>
        <Link to="/reset">Forgot your password?</Link>
      </p>
    </Entrance>
  );
}
