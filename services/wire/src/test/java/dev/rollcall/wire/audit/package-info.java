@NullMarked
package dev.rollcall.wire.audit;

import org.jspecify.annotations.NullMarked;
