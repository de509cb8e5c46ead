/** {@code rollcall ca}: an authority that issues the certificates of nodes and gateways. */
@NullMarked
package dev.rollcall.cli.authority;

import org.jspecify.annotations.NullMarked;
