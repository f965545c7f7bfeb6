//! The command line as a person or a script sees it: standard output, standard error and exit
//! code whole.

mod agents;
mod answering;
mod asking;
mod hostile;
mod hubs;
mod interactive;
mod reference;
mod shown;
mod turns;
