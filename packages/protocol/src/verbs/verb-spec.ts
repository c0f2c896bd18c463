/** One entry of the verb table: the callers, input and output of the verb, and its text in the reference. */
import type { TObject, TSchema } from 'typebox';

/** The rights of a caller: the role of its API key or of the person, the MCP client of a person, or the scope of its token. */
export type Rights =
  | 'admin'
  | 'member'
  | 'auditor'
  | 'agent'
  | 'client'
  | 'public'
  | 'session'
  | 'thread-responder'
  | 'interaction-responder'
  | 'inbox-responder';

export const admins = ['admin'] as const;
export const keys = ['admin', 'agent'] as const;
/** Callers that ask. The MCP client of a person asks in the name of the person. */
export const requesters = [...keys, 'client'] as const;
/** Callers that read what only admins change. */
export const adminReaders = [...admins, 'auditor'] as const;
export const keyReaders = [...keys, 'auditor'] as const;
/** People, and keys that manage them. */
export const people = [...admins, 'member', 'auditor'] as const;
export const publicKeys = ['public'] as const;
/** Callers that see a whole thread. */
export const threadCallers = [...keys, 'thread-responder'] as const;
export const threadReaders = [...threadCallers, 'auditor'] as const;
/** Callers that answer. An auditor only reads, and a session, which any visitor can open, is not among them. */
export const responders = [...threadCallers, 'inbox-responder', 'interaction-responder', 'member', 'client'] as const;
/** Every key, responder token, person and MCP client. */
export const everybody = [...responders, 'auditor'] as const;
export const listers = [...threadReaders, 'inbox-responder', 'member', 'client'] as const;
/** A session may call only the verbs behind the dialect for pages, which decides what the page is shown. */
export const participants = [...threadCallers, 'session'] as const;
export const participantReaders = [...participants, 'auditor'] as const;
export const answerers = [...responders, 'session'] as const;
/** Callers in front of a screen: a program views nothing. */
export const viewers = [
  ...admins,
  'thread-responder',
  'inbox-responder',
  'interaction-responder',
  'member',
  'auditor',
] as const;
export const answerReaders = [...everybody, 'session'] as const;

/** The text of the reference about one call. */
interface CallText {
  summary: string;
  description: string;
}

export interface VerbSpec extends CallText {
  callers: readonly Rights[];
  /** The input besides the ids in the path: the body, or the query of a GET or DELETE. */
  input?: TObject;
  /** The input of a dialect, if it may send more. */
  dialectInput?: TObject;
  output: TSchema;
  /** 200, if left out. */
  status?: 201;
  /** The call under the path of a thread, where the verb has two paths. */
  ofThread?: CallText & { operationId: string; input?: TObject };
  /** Takes a signal that ends the wait. */
  waits?: true;
  /** Takes the origin of the page that calls. */
  takesOrigin?: true;
  /** The body is a file. The rest of the input is in the query. */
  takesFile?: true;
  /** The output is a file: its bytes are the response. */
  givesFile?: true;
}

/** The entries of some verbs. */
export type Specs<Service> = { readonly [Verb in keyof Service]: VerbSpec };
