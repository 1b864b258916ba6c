// Waiting inside the page: a grace period if nothing happens, a quiet one after the last change, and a
// cap. Open streams and long polls do not hold it; a leave that has begun does, until the page goes.
// Deferred scripts run before DOMContentLoaded; before that, a page is not what its author meant.
let parsed = document.readyState === "complete";
listen("DOMContentLoaded", () => { parsed = true; changedAt = now(); });
const ready = () => parsed;
const running = () => {
  let n = 0;
  for (const id of waiting.keys()) if (!waitingAtArm.has(id) && !longLived.has(waiting.get(id).path)) n += 1;
  return n;
};
let waitingAtArm = new Set();
const fading = () => {
  for (const animation of document.getAnimations()) {
    if (animation.playState !== "running") continue;
    const timing = animation.effect?.getComputedTiming();
    if (timing && Number.isFinite(timing.endTime) && timing.endTime <= 1000 && animation.currentTime < timing.endTime) return true;
  }
  return false;
};
const sum = () => {
  const total = {};
  for (const name of Object.keys(counts)) total[name] = 0;
  for (const k of kits()) { const c = k.counts(); for (const name of Object.keys(total)) total[name] += c[name]; }
  return total;
};
const lastChange = () => { let at = 0; for (const k of kits()) at = Math.max(at, k.idleFor() === Infinity ? 0 : now() - k.idleFor()); return at; };
const busy = () => { for (const k of kits()) if (k.busy()) return true; return false; };
const moves = (a, b) => { for (const name of Object.keys(a)) if (name !== "focus" && a[name] !== b[name]) return true; return false; };

let atArm = { ...counts };
let armedAt = 0;
const arm = intact(() => { for (const k of kits()) k.armOne(); atArm = sum(); armedAt = now(); });
const disarm = intact(() => { for (const k of kits()) k.disarmOne(); });

const settle = ({ grace, quiet, cap, ignore }) => new PromiseOf(intact((done) => {
  const began = now();
  for (const path of ignore ?? []) for (const k of kits()) k.ignore(path);
  const finish = () => {
    for (const k of kits()) k.forgetLong(cap);
    done(now() - began);
  };
  const step = intact(() => {
    const spent = now() - began;
    if (spent >= cap) return finish();
    if (leaving && now() - leaving.at < cap) return later(step, 10);
    if (busy() || fading()) return later(step, 5);
    if (!moves(atArm, sum()) && ready()) return spent >= grace ? finish() : later(step, 4);
    const left = quiet - (now() - lastChange());
    if (ready() && left <= 0) return finish();
    return later(step, Math.max(2, left));
  });
  step();
}));
// After a load: quiet, and the number of controls has stopped growing.
const LOADING = "[role=progressbar]:not([aria-valuenow]), [aria-busy=true], [class*=spinner], [class*=Spinner], [class*=CircularProgress], [class*=skeleton], [class*=Skeleton], [class*=loading], [class*=Loading]";
const loading = intact(() => {
  for (const el of all(document.body, LOADING)) { const box = rectOf(el); if (box.width > 8 && onScreen(box) && shown(el)) return true; }
  return false;
});
const countControls = intact(() => (document.body ? collect().found.length : 0));
// A page that says it is loading gets three times as long.
const patience = (waits) => (document.body && loading() ? 3 * waits.cap : waits.cap);
const settleLoad = async (waits) => {
  const began = now();
  let before = -1;
  let still = 0;
  for (;;) {
    await settle({ ...waits, cap: Math.max(50, waits.cap - (now() - began)) });
    const here = countControls();
    still = here === before ? still + 1 : 0;
    const spinning = loading();
    const waiting = here === 0 || spinning;
    if ((still >= (here > 0 ? 1 : 8) && !spinning) || now() - began >= patience(waits)) return;
    await new PromiseOf((done) => later(done, waiting ? 120 : 40));
    before = here;
  }
};
