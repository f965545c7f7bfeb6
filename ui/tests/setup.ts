import '../src/styles/tokens.css';
import '../src/styles/base.css';
import '../src/styles/prose.css';
