/** What a sign-in gives: tokens, and who they are of. They stay in this tab's session storage. */

/** Where people come back to: Cognito sends them to no other address (infra/sign_in.py). */
export const SIGNED_IN = "/signed-in";

export interface Tokens {
  access: string;
  refresh: string;
  /** When `access` ends, in seconds since 1970. */
  ends: number;
  /** What the id token says of who signed in. */
  profile: Readonly<Record<string, unknown>>;
}

/** Who is signed in. */
export interface Person {
  name: string;
  administrator: boolean;
  /** Whether the person may store orders, audits and the like. */
  writer: boolean;
}

export const personOf = ({ profile }: Tokens): Person => {
  const groups = profile["cognito:groups"];
  const isIn = (group: string) => Array.isArray(groups) && groups.includes(group);
  return {
    name: String(profile["cognito:username"] ?? profile.sub),
    administrator: isIn("admin"),
    writer: isIn("write"),
  };
};

/** Whose tokens they are, for good: a name may be given to somebody else. */
export const isSame = (one: Tokens, other: Tokens): boolean => one.profile.sub === other.profile.sub;

/** How many seconds they are still good for. */
export const left = ({ ends }: Tokens): number => ends - Date.now() / 1000;

const KEY = "session";

/** Until the tab is closed: a reload does not ask for the password again. */
export const kept = (): Tokens | null => parsed(sessionStorage.getItem(KEY));

/** Without tokens nothing is kept of whoever had them. */
export const keep = (tokens: Tokens | null): void => {
  if (tokens) sessionStorage.setItem(KEY, JSON.stringify(tokens));
  else sessionStorage.clear();
};

const parsed = (text: string | null): Tokens | null => {
  try {
    const found: unknown = JSON.parse(text ?? "null");
    return isTokens(found) ? found : null;
  } catch {
    return null;
  }
};

/** Whether what came from elsewhere can be taken for tokens; the API alone says whether they are good. */
export const isTokens = (value: unknown): value is Tokens => {
  const { access, refresh, ends, profile } = (value ?? {}) as Partial<Record<keyof Tokens, unknown>>;
  const texts = typeof access === "string" && typeof refresh === "string" && typeof ends === "number";
  return texts && typeof profile === "object" && profile !== null && "sub" in profile;
};
