import { useMutation, useQueryClient } from "@tanstack/react-query";
import { Link, useNavigate, useRouter, useSearch } from "@tanstack/react-router";
import { useState } from "react";
import { graphql, request, RequestError } from "../request.ts";
import { Button } from "../ui/button.tsx";
import { Form, TextField } from "../ui/forms/form.tsx";
import { CodeField } from "./code-field.tsx";
import styles from "./entrance.module.css";
import { Entrance } from "./entrance.tsx";
import { copy } from "./copy.ts";

const LogIn = graphql(`
  mutation LogIn($email: String!, $password: String!, $code: String) {
    logIn(email: $email, password: $password, code: $code) {
      id
    }
  }
`);

const read = (values: FormData, name: string) => String(values.get(name) ?? "");

/** The login. It asks for a code only when the account uses two-factor authentication. */
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
      // The cache may contain a null viewer.
      client.clear();
      // Only a path: two slashes would lead to another host.
      if (next && /^\/(?![/\\])/.test(next)) router.history.push(`${router.basepath}${next}`);
      else await navigate({ to: "/" });
    },
    onError: (error) => {
      if (error instanceof RequestError && error.code.endsWith("SECOND_FACTOR_REQUIRED")) setAsksCode(true);
    },
  });
  const isAsked = logIn.error instanceof RequestError && logIn.error.code === "SECOND_FACTOR_REQUIRED";
  return (
    <Entrance title={copy.login.title}>
      <Form error={isAsked ? null : logIn.error} onSubmit={(values) => !logIn.isPending && logIn.mutate(values)}>
        <TextField name="email" label={copy.email} inputMode="email" autoComplete="username" required autoFocus />
        <TextField name="password" label={copy.password} type="password" autoComplete="current-password" required />
        {asksCode && <CodeField autoFocus />}
        <Button type="submit" variant="primary" busy={logIn.isPending}>
          {copy.login.submit}
        </Button>
      </Form>
      <p className={styles.forgot}>
        <Link to="/reset">{copy.login.forgot}</Link>
      </p>
    </Entrance>
  );
}
