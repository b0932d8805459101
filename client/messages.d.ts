/** The messages of the wire `krig.1`, as the server's models say them. */

export type RuleValue = boolean | number | string | null;
export type Rules = Record<string, RuleValue>;
export type Tempo = "slow" | "normal" | "fast";

// The view ---------------------------------------------------------------------------

export interface SeatView {
  player: number;
  name: string;
  kind: "human" | "bot";
  ready: boolean;
  commitment: string | null;
  state: "here" | "away" | "auto" | "bot" | "left";
}

export interface DealView {
  id: string;
  commitment: string;
  stage: "open" | "commit" | "reveal" | "done";
  missing: number[];
  withheld: number[];
}

export interface PauseView {
  seat: number;
  agreed: number[];
}

export interface RoomView {
  code: string;
  phase: "lobby" | "dealing" | "playing";
  game: number;
  terms: number;
  owner: number | null;
  closed: boolean;
  rules: Rules;
  preset: string | null;
  /** The game whose deal is played again, which is no secret then. */
  game_code: string | null;
  tempo: Tempo;
  wars_by_table: boolean;
  paused: PauseView | null;
  asleep: boolean;
  deal: DealView;
}

export interface GroupView {
  down: number;
  up: string | null;
}

export interface HandView {
  stock: number;
  won: number;
  out: boolean;
  laid: GroupView[];
}

export interface ClockView {
  limit_ms: number;
  used_ms: number;
  since: number | null;
}

export interface TableView {
  round: number;
  battle: number;
  wars: number;
  hands: HandView[];
  waiting: number[];
  flipped: number[];
  fighting: number[];
  pot: number;
  aside: number;
  last_round: boolean;
  clock: ClockView | null;
}

export interface LastView {
  game: number;
  ending: string;
  winners: number[];
  counts: number[];
  rounds: number;
  wars: number;
  players: number[];
  names: string[];
  /** Partners' cards count together: seats 0 and 2 against 1 and 3. */
  teams: boolean;
  /** A draw by repetition whose cards were counted after all. */
  counted: boolean;
}

export interface View {
  room: RoomView;
  seats: (SeatView | null)[];
  table: TableView | null;
  last: LastView | null;
}

// From the client --------------------------------------------------------------------

export interface Hello {
  type: "hello";
  protocol: number;
  room: string;
  token?: string | null;
  epoch?: string | null;
  v?: number;
}

/** What is asked of the room. With an `id` it is answered by `ack` or `error`. */
export type Command = { id?: number | null } & (
  | { type: "sit"; seat?: number | null; name: string }
  | { type: "leave" }
  | {
      type: "ready";
      game: number;
      terms: number;
      on: boolean;
      commitment?: string | null;
    }
  | { type: "name"; name: string }
  | {
      type: "rules";
      preset?: string | null;
      rules?: Rules | null;
      code?: string | null;
    }
  | { type: "bot"; seat: number; on: boolean }
  | { type: "kick"; seat: number; player: number }
  | { type: "start"; game: number }
  | { type: "reveal"; game: number; terms: number; nonce: string }
  | { type: "flip"; game: number; round: number; battle: number }
  | { type: "auto"; on: boolean }
  | { type: "tempo"; tempo: Tempo; wars: boolean }
  | { type: "pause"; on: boolean }
  | { type: "close"; on: boolean }
  | { type: "count"; game: number }
  | { type: "offer"; seat: number }
  | { type: "claim"; code: string }
);

export type FromClient =
  | Hello
  | Command
  | { type: "resync" }
  | { type: "react"; reaction: number }
  | { type: "ping" }
  | { type: "pong"; hidden?: boolean };

// What is told inside `events` -------------------------------------------------------

export interface OutcomeView {
  ending: string;
  winners: number[];
  counts: number[];
  by_shortage: boolean;
}

/** The parts of the view that an entry replaces whole. */
export type Part =
  | { type: "room"; room: RoomView }
  | { type: "seats"; seats: (SeatView | null)[] }
  | { type: "table"; table: TableView | null }
  | { type: "last"; last: LastView | null };

export type ToldEvent =
  | Part
  | { type: "sat"; seat: number; player: number; name: string }
  | {
      type: "left";
      seat: number;
      player: number;
      name: string;
      how: "left" | "kicked" | "removed";
    }
  | { type: "moved"; seat: number; to: number }
  | { type: "renamed"; seat: number; name: string }
  | { type: "ready_cleared"; why: "rules" | "seats" }
  | {
      type: "deal_voided";
      id: string;
      withheld: number[];
      server_nonce: string;
      nonces: [number, string][];
    }
  | { type: "dealt"; game: number }
  | { type: "flipped"; seat: number; by: "player" | "autoplay" | "clock" }
  | { type: "reshuffled"; seat: number; count: number }
  | { type: "staked"; stakes: [number, number][] }
  | { type: "turned"; cards: [number, string][] }
  | { type: "war"; seats: number[]; war: number }
  | { type: "short"; seat: number; count: number }
  | { type: "pot_won"; seat: number; count: number; by: "high" | "walkover" | "orphan" }
  | { type: "pot_left"; how: "carry" | "discard"; count: number }
  | { type: "round_void" }
  | { type: "seat_out"; seat: number }
  | { type: "round_ended"; round: number; counts: [number, number][] }
  | { type: "battle"; round: number; battle: number; waiting: number[] }
  | { type: "time_struck" }
  | {
      type: "game_ended";
      game: number;
      outcome: OutcomeView;
      aside: string[];
      server_nonce: string;
    }
  | { type: "paused"; seat: number }
  | { type: "resumed"; seat: number | null }
  | { type: "slept" }
  | { type: "woke"; seat: number }
  | { type: "owner"; player: number };

// From the server --------------------------------------------------------------------

export interface Limits {
  message_bytes: number;
  commands_per_second: number;
  command_burst: number;
  name_graphemes: number;
  name_bytes: number;
  seats: number;
  catch_up_entries: number;
}

export interface Welcome {
  type: "welcome";
  protocol: number;
  server: string;
  room: string;
  player: number | null;
  epoch: string;
  v: number;
  sync: "in_sync" | "events" | "snapshot";
  heartbeat_ms: number;
  now: number;
  deadline_ms: number;
  limits: Limits;
}

export interface WireError {
  type: "error";
  id: number | null;
  code: string;
  message: string;
  retry: boolean;
  retry_after_ms?: number | null;
}

export type FromServer =
  | Welcome
  | { type: "you"; player: number | null }
  | { type: "snapshot"; v: number; view: View }
  | { type: "events"; v: number; entries: ToldEvent[][] }
  | { type: "ack"; id: number; v: number }
  | WireError
  | { type: "offered"; seat: number; code: string; for_ms: number }
  | { type: "presence"; watchers: number }
  | { type: "reaction"; player: number | null; reaction: number }
  | { type: "ping"; v: number }
  | { type: "pong"; v: number }
  | { type: "trouble"; on: boolean }
  | { type: "drain"; retry_after_ms: number }
  | { type: "notice"; text: string };
