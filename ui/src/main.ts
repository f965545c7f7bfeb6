import { mount } from 'svelte';
import './styles/tokens.css';
import './styles/base.css';
import './styles/prose.css';
import { openHost } from './host';
import { applyTheme } from './styles/theme';
import Window from './views/Window.svelte';

const query = new URLSearchParams(location.search);
applyTheme('system');

const target = document.getElementById('app');
if (target) {
  void openHost(query).then((host) => mount(Window, { target, props: { host } }));
}
