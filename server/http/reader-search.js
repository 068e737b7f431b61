// Narrows the calls down to what is typed. Without this script the page has no search and reads as before.
const field = document.querySelector('input[type=search]');
const none = document.querySelector('#nothing-found');
const calls = [...document.querySelectorAll('section > details')].map((call) => ({
  call,
  text: call.querySelector('summary').textContent.toLowerCase(),
}));
const sections = [...document.querySelectorAll('main > section')];

const narrow = () => {
  const words = field.value.toLowerCase().split(/\s+/).filter(Boolean);
  for (const { call, text } of calls) call.hidden = !words.every((word) => text.includes(word));
  for (const section of sections) section.hidden = words.length > 0 && section.querySelector(':scope > details:not([hidden])') === null;
  none.hidden = sections.some((section) => !section.hidden);
};

/** A link may lead into a call or a schema that is closed, or that the search has hidden. */
const show = () => {
  const target = location.hash && document.getElementById(decodeURIComponent(location.hash.slice(1)));
  if (!target) return;
  if (target.closest('[hidden]')) {
    field.value = '';
    narrow();
  }
  const holder = target.closest('details');
  if (holder) holder.open = true;
  target.scrollIntoView();
};

field.closest('label').hidden = false;
field.addEventListener('input', narrow);
addEventListener('hashchange', show);
addEventListener('keydown', (event) => {
  if (event.key !== '/' || event.ctrlKey || event.metaKey || event.altKey || event.target === field) return;
  event.preventDefault();
  field.focus();
});
show();
