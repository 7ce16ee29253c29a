import { Button, PasswordInput, Text, TextInput, Title } from "@mantine/core";
import { useMutation, useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { client, dataOf } from "@/api/client";
import { Form } from "@/shared/Form";
import { Logo } from "@/shared/Logo";
import { sessionQuery } from "@/shared/session";
import { strings } from "@/shared/strings";
import classes from "./SignInPage.module.css";

const says = strings.signIn;

export default function SignInPage() {
  return (
    <main className={classes.page}>
      <section className={classes.about}>
        <Logo size={36} />
        <Text className={classes.tagline}>{strings.tagline}</Text>
        <Text maw={420}>{says.about}</Text>
      </section>
      <section className={classes.form}><SignInForm /></section>
    </main>
  );
}

function SignInForm() {
  const queries = useQueryClient();
  const [username, setUsername] = useState("");
  const [password, setPassword] = useState("");
  const signIn = useMutation({
    mutationFn: () => dataOf(client.POST("/api/session/", { body: { username, password } })),
    onSuccess: (session) => queries.setQueryData(sessionQuery.queryKey, session),
  });
  return (
    <Form act={signIn}>
      <Title order={1} size="h3">{says.title}</Title>
      <TextInput label={says.username} name="username" autoComplete="username" required autoFocus withAsterisk={false}
        value={username} onChange={(event) => setUsername(event.currentTarget.value)} />
      <PasswordInput label={says.password} name="password" autoComplete="current-password" required withAsterisk={false}
        value={password} onChange={(event) => setPassword(event.currentTarget.value)} />
      <Button type="submit" loading={signIn.isPending} mt="xs">{says.submit}</Button>
    </Form>
  );
}
