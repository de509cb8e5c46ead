/** Takes accounts and incidents as jobs give them, and gives them out: file, events, metrics. */
@NullMarked
package dev.rollcall.agent.account;

import org.jspecify.annotations.NullMarked;
