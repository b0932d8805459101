/** Sounds made here and now, for who asked for them; they say nothing that is not shown. */

/** @typedef {import("./messages.d.ts").ToldEvent} ToldEvent */

/** @type {AudioContext | null} */
let context = null;
const LOUDNESS = 0.12;
const QUIET = 0.0001;

/**
 * Let what was told be heard, at about the time that it is seen.
 * @param {readonly ToldEvent[]} events
 * @param {number | null} me my seat
 * @param {number} pace how much longer everything takes at this tempo
 */
export function sound(events, me, pace) {
  context ??= new AudioContext();
  void context.resume();
  let at = context.currentTime;
  for (const event of events) {
    if (event.type === "turned") {
      at += 0.12 * pace;
      event.cards.forEach((_, i) => tone(at + i * 0.04, 900, 300, 0.05, "triangle"));
    } else if (event.type === "war") {
      at += 0.25 * pace;
      tone(at, 110, 70, 0.35, "sawtooth");
      tone(at + 0.18, 110, 70, 0.35, "sawtooth");
    } else if (event.type === "pot_won") {
      at += 0.6 * pace;
      const mine = event.seat === me;
      tone(at, mine ? 520 : 330, mine ? 780 : 260, 0.14, "sine");
    } else if (event.type === "game_ended") {
      [392, 494, 587, 784].forEach((pitch, i) =>
        tone(at + 0.5 + i * 0.13, pitch, pitch, 0.3, "sine"),
      );
    }
  }
}

/**
 * @param {number} at
 * @param {number} from Hz
 * @param {number} to Hz
 * @param {number} lasts seconds
 * @param {OscillatorType} type
 */
function tone(at, from, to, lasts, type) {
  if (context === null) return;
  const voice = context.createOscillator();
  const volume = context.createGain();
  voice.type = type;
  voice.frequency.setValueAtTime(from, at);
  voice.frequency.exponentialRampToValueAtTime(to, at + lasts);
  volume.gain.setValueAtTime(LOUDNESS, at);
  volume.gain.exponentialRampToValueAtTime(QUIET, at + lasts);
  voice.connect(volume).connect(context.destination);
  voice.start(at);
  voice.stop(at + lasts);
}
