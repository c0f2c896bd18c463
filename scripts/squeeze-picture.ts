/** Reduces a picture to 256 colours, if pngquant is installed. */
import { execFileSync } from 'node:child_process';

export function squeezed(shot: Buffer): Buffer {
  try {
    return execFileSync('pngquant', ['--quality=85-100', '--speed=1', '--strip', '-'], { input: shot, stdio: 'pipe' });
  } catch {
    return shot;
  }
}
