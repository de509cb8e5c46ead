/** Where a server is: its addresses, looked up and tried one after the other. */
@NullMarked
package dev.rollcall.wire.address;

import org.jspecify.annotations.NullMarked;
