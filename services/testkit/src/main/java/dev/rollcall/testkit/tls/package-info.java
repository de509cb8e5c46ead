/** Certificates for tests. */
@NullMarked
package dev.rollcall.testkit.tls;

import org.jspecify.annotations.NullMarked;
