/** What fuzzing asks of netlink's replies. */
@NullMarked
package dev.rollcall.linux.net;

import org.jspecify.annotations.NullMarked;
