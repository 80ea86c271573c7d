import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { useLocation, useNavigate } from "@tanstack/react-router";
import type { ResultOf } from "gql.tada";
import { useState } from "react";
import { firstPage, viewerQuery } from "../queries.ts";
import { graphql, request, RequestError } from "../request.ts";
import { roleDescriptions, roleNames } from "../copy.ts";
import { Button } from "../ui/button.tsx";
import { Form, readText, TextField } from "../ui/forms/form.tsx";
import { Failure, Skeleton } from "../ui/states.tsx";
import { Time } from "../ui/values/time.tsx";
import { CodeField } from "./code-field.tsx";
import styles from "./entrance.module.css";
import { Entrance } from "./entrance.tsx";
import { Sentence } from "../ui/sentence.tsx";
import { copy } from "./copy.ts";

const Preview = graphql(`
  query InvitationPreview($token: String!) {
    invitation(token: $token) {
      shopId
      shopName
      role
      email
      expiresAt
      hasAccount
    }
  }
`);

const Accept = graphql(`
  mutation AcceptInvitation($token: String!, $password: String!, $code: String) {
    acceptInvitation(token: $token, password: $password, code: $code) {
      id
    }
  }
`);

type Invitation = ResultOf<typeof Preview>["invitation"];

/** Accepts an invitation. Its token is in the address's fragment, which browsers send to no server. */
export function JoinPage() {
  const token = useLocation({ select: ({ hash }) => hash });
  const { data, error, refetch } = useQuery({
    queryKey: ["invitation", token],
    queryFn: ({ signal }) => request(Preview, { token }, { signal }),
    gcTime: 0,
    staleTime: Infinity,
    enabled: token !== "",
  });
  if (token === "" || (error instanceof RequestError && error.code === "NOT_FOUND")) return <Invalid />;
  if (error) return <Failure error={error} onRetry={() => void refetch()} />;
  if (!data) return <Skeleton />;
  return <Join token={token} invitation={data.invitation} />;
}

function Invalid() {
  return (
    <Entrance title={copy.join.invalidTitle}>
      <p className={styles.soft}>{copy.join.invalid}</p>
    </Entrance>
  );
}

function Join({ token, invitation: { shopId, shopName, role, email, expiresAt, hasAccount } }: JoinProps) {
  const { join, asksCode } = useJoin(token, shopId);
  const isAsked = join.error instanceof RequestError && join.error.code === "SECOND_FACTOR_REQUIRED";
  return (
    <Entrance title={copy.join.title(shopName)}>
      <p className={styles.soft}>
        <Sentence
          text={copy.join.invitation}
          parts={{
            role: <strong>{roleNames[role].toLowerCase()}</strong>,
            description: roleDescriptions[role],
            time: <Time value={expiresAt} />,
          }}
        />
      </p>
      <Form error={isAsked ? null : join.error} onSubmit={(values) => !join.isPending && join.mutate(values)}>
        <TextField name="email" label={copy.email} type="email" autoComplete="username" readOnly value={email} />
        <TextField
          name="password"
          label={hasAccount ? copy.join.existingPassword : copy.newPassword}
          hint={hasAccount ? copy.join.existingHint : copy.passwordHint}
          type="password"
          autoComplete={hasAccount ? "current-password" : "new-password"}
          required
          autoFocus
        />
        {asksCode && <CodeField autoFocus />}
        <Button type="submit" variant="primary" busy={join.isPending}>
          {copy.join.title(shopName)}
        </Button>
      </Form>
    </Entrance>
  );
}

interface JoinProps {
  token: string;
  invitation: Invitation;
}

function useJoin(token: string, shopId: string) {
  const client = useQueryClient();
  const navigate = useNavigate();
  const [asksCode, setAsksCode] = useState(false);
  const join = useMutation({
    mutationFn: (values: FormData) => {
      const password = String(values.get("password"));
      return request(Accept, { token, password, code: readText(values, "code") || null });
    },
    onSuccess: async () => {
      // Joining replaces the session of any account that was logged in.
      client.removeQueries(viewerQuery);
      const { viewer } = await client.fetchQuery(viewerQuery);
      const joined = viewer?.memberships.find(({ shop }) => shop.id === shopId);
      if (!joined) return navigate({ to: "/", replace: true });
      const to = firstPage(joined);
      return navigate({ to, params: { shopId }, replace: true });
    },
    onError: (error) => {
      if (error instanceof RequestError && error.code === "SECOND_FACTOR_REQUIRED") setAsksCode(true);
    },
  });
  return { join, asksCode };
}
