/** A picture of a page in 256 colours, which is enough for these, where the machine can make it so. */
import { execFileSync } from 'node:child_process';

export function squeezed(shot: Buffer): Buffer {
  try {
    return execFileSync('pngquant', ['--quality=85-100', '--speed=1', '--strip', '-'], { input: shot, stdio: 'pipe' });
  } catch {
    return shot;
  }
}
