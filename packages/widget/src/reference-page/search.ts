/** The search of the page at /docs: finds its sections by their words. Without this script the page has its contents list. */
const mostShown = 30;

interface Entry {
  id: string;
  title: string;
  about: string;
  /** In lower case. */
  text: string;
}

/** Operations, types, field types, errors, and the chapters of the guide. */
const places = '.op, .shape, .guide > h3[id], tr[id], section.guide';

function entryOf(place: Element): Entry {
  const heading = place.matches('h3') ? place : (place.querySelector('h2, h3') ?? place.querySelector('code'));
  const title = place.matches('tr') ? place.querySelector('code') : heading;
  const about = place.querySelector('.route, td:nth-child(2), p')?.textContent ?? '';
  const text = place.matches('section.guide') ? (title?.textContent ?? '') : place.textContent;
  return { id: place.id, title: (title?.textContent ?? '').trim(), about: about.trim(), text: text.toLowerCase() };
}

/** Sections with a word in the title come first. */
function find(entries: readonly Entry[], typed: string): Entry[] {
  const words = typed.toLowerCase().split(/\s+/).filter(Boolean);
  const rank = ({ title }: Entry) => words.filter((word) => title.toLowerCase().includes(word)).length;
  return entries
    .filter(({ text, about }) => words.every((word) => text.includes(word) || about.toLowerCase().includes(word)))
    .sort((a, b) => rank(b) - rank(a));
}

function begin(box: HTMLElement): void {
  const entries = [...document.querySelectorAll(`main :is(${places})`)]
    .map(entryOf)
    .filter(({ id, title }) => id && title);
  const lists = [...document.querySelectorAll<HTMLElement>('.side .narrow, .side .wide')];
  const input = document.createElement('input');
  Object.assign(input, {
    type: 'search',
    className: 'search',
    placeholder: 'Search (press /)',
    ariaLabel: 'Search this page',
  });
  const count = document.createElement('p');
  count.className = 'found';
  count.role = 'status';
  const results = document.createElement('ul');
  results.className = 'results';
  box.append(input, count, results);

  const show = () => {
    const isEmpty = input.value.trim() === '';
    const found = isEmpty ? [] : find(entries, input.value);
    for (const list of lists) list.hidden = !isEmpty;
    count.textContent = isEmpty ? '' : found.length === 0 ? 'Nothing found.' : `${found.length} found`;
    results.replaceChildren(...found.slice(0, mostShown).map(lineOf));
  };
  input.addEventListener('input', show);
  input.addEventListener('keydown', ({ key }) => {
    if (key === 'Enter') results.querySelector('a')?.click();
    if (key !== 'Escape') return;
    input.value = '';
    show();
  });
  addEventListener('keydown', (event) => {
    const isTyping = event.target instanceof Element && event.target.matches('input, textarea');
    if (event.key !== '/' || isTyping || event.ctrlKey || event.metaKey || event.altKey) return;
    event.preventDefault();
    input.focus();
  });
}

function lineOf({ id, title, about }: Entry): HTMLElement {
  const line = document.createElement('li');
  const link = document.createElement('a');
  const more = document.createElement('small');
  link.href = `#${id}`;
  more.textContent = about.length > 90 ? `${about.slice(0, 89)}…` : about;
  link.append(title, more);
  line.append(link);
  return line;
}

const box = document.getElementById('search');
if (box) begin(box);
