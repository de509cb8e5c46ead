/** What is asked of the batch system, how seldom, and what becomes of a program that misbehaves. */
@NullMarked
package dev.rollcall.gateway.batch;

import org.jspecify.annotations.NullMarked;
