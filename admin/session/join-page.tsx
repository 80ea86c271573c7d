import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { useLocation, useNavigate } from "@tanstack/react-router";
import type { ResultOf } from "gql.tada";
import { useState } from "react";
import { firstPage, viewerQuery } from "../queries.ts";
import { graphql, request, RequestError } from "../request.ts";
import { roleDuties, roleNames } from "../shell/words.ts";
import { Button } from "../ui/button.tsx";
import { Form, TextField } from "../ui/forms/form.tsx";
import { readText } from "../ui/forms/read-fields.ts";
import { Failure, Skeleton } from "../ui/states.tsx";
import { Time } from "../ui/values/time.tsx";
import { CodeField } from "./code-field.tsx";
import styles from "./entrance.module.css";
import { Entrance } from "./entrance.tsx";

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

/** Says what an invitation is to before anybody agrees. Its token is in the part of the address that no server sees. */
export function JoinPage() {
  const token = useLocation({ select: ({ hash }) => hash });
  const { data, error, refetch } = useQuery({
    queryKey: ["invitation", token],
    queryFn: ({ signal }) => request(Preview, { token }, { signal }),
    gcTime: 0,
    staleTime: Infinity,
    enabled: token !== "",
  });
  if (token === "" || (error instanceof RequestError && error.code === "NOT_FOUND")) return <Unusable />;
  if (error) return <Failure error={error} onRetry={() => void refetch()} />;
  if (!data) return <Skeleton />;
  return <Agree token={token} invitation={data.invitation} />;
}

function Unusable() {
  return (
    <Entrance title="This invitation cannot be used">
      <p className={styles.soft}>
        It was used, replaced or taken back, or has expired, or the link is incomplete. Ask whoever invited you for
        another one.
      </p>
    </Entrance>
  );
}

function Agree({ token, invitation: { shopId, shopName, role, email, expiresAt, hasAccount } }: AgreeProps) {
  const { join, asksCode } = useJoin(token, shopId);
  const isAsked = join.error instanceof RequestError && join.error.code === "SECOND_FACTOR_REQUIRED";
  return (
    <Entrance title={`Join ${shopName}`}>
      <p className={styles.soft}>
        You are invited as <strong>{roleNames[role].toLowerCase()}</strong>, who {roleDuties[role]}. The invitation ends{" "}
        <Time value={expiresAt} />.
      </p>
      <Form error={isAsked ? null : join.error} onSubmit={(values) => !join.isPending && join.mutate(values)}>
        <TextField name="email" label="E-mail" type="email" autoComplete="username" readOnly value={email} />
        <TextField
          name="password"
          label={hasAccount ? "Your password" : "New password"}
          hint={hasAccount ? "There is an account with this address already." : "At least 12 characters."}
          type="password"
          autoComplete={hasAccount ? "current-password" : "new-password"}
          required
          autoFocus
        />
        {asksCode && <CodeField autoFocus />}
        <Button type="submit" look="primary" busy={join.isPending}>
          Join {shopName}
        </Button>
      </Form>
    </Entrance>
  );
}

interface AgreeProps {
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
      // Whoever was logged in here before is so no more.
      client.removeQueries(viewerQuery);
      const { viewer } = await client.fetchQuery(viewerQuery);
      const joined = viewer?.memberships.find(({ shop }) => shop.id === shopId);
      if (!joined) return navigate({ to: "/", replace: true });
      const to = firstPage(joined.permissions, joined.needsSecondFactor);
      return navigate({ to, params: { shopId }, replace: true });
    },
    onError: (error) => {
      if (error instanceof RequestError && error.code === "SECOND_FACTOR_REQUIRED") setAsksCode(true);
    },
  });
  return { join, asksCode };
}
